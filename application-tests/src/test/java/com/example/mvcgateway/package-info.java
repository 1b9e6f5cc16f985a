@NullMarked
package com.example.mvcgateway;

import org.jspecify.annotations.NullMarked;
