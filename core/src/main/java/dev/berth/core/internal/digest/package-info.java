/** The hashes of records, from which the digest of a state is computed. Internal. */
@NullMarked
package dev.berth.core.internal.digest;

import org.jspecify.annotations.NullMarked;
