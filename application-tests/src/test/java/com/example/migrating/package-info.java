@NullMarked
package com.example.migrating;

import org.jspecify.annotations.NullMarked;
