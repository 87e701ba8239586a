/** The exceptions that an embedder may receive. */
@NullMarked
package dev.berth.core.error;

import org.jspecify.annotations.NullMarked;
