/** Studies of memory elasticity and of queue disciplines. */
@NullMarked
package dev.berth.experiments.studies.memory;

import org.jspecify.annotations.NullMarked;
