@NullMarked
package com.example.legacy;

import org.jspecify.annotations.NullMarked;
