@NullMarked
package com.example.gateway;

import org.jspecify.annotations.NullMarked;
