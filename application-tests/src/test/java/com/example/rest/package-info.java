@NullMarked
package com.example.rest;

import org.jspecify.annotations.NullMarked;
