/** GraphQL in front of a limited service. */
@NullMarked
package com.example.graph;

import org.jspecify.annotations.NullMarked;
