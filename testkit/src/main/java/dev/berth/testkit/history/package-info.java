/** Clusters and what happens to them, as values that can be generated, shrunk and played. */
@NullMarked
package dev.berth.testkit.history;

import org.jspecify.annotations.NullMarked;
