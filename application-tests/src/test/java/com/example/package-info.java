/** Applications as users write them, each in a package of its own. Nothing here uses a helper of the library's own tests. */
@NullMarked
package com.example;

import org.jspecify.annotations.NullMarked;
