/**
 * What happens to hosts that are up: changes, drains, taints, and starts that fail in a row.
 * Internal.
 */
@NullMarked
package dev.berth.core.internal.host;

import org.jspecify.annotations.NullMarked;
