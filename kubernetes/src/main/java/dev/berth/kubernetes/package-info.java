/** A scheduler of Kubernetes pods by service classes. */
@NullMarked
package dev.berth.kubernetes;

import org.jspecify.annotations.NullMarked;
