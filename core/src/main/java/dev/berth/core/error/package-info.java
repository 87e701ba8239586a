/** The exceptions that an embedder may meet. */
@NullMarked
package dev.berth.core.error;

import org.jspecify.annotations.NullMarked;
