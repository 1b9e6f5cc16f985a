/** Messages over a WebSocket. */
@NullMarked
package com.example.chat;

import org.jspecify.annotations.NullMarked;
