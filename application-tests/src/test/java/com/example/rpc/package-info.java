/** A gRPC server. */
@NullMarked
package com.example.rpc;

import org.jspecify.annotations.NullMarked;
