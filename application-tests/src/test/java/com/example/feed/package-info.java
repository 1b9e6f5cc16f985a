@NullMarked
package com.example.feed;

import org.jspecify.annotations.NullMarked;
