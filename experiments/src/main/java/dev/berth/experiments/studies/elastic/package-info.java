/** Studies of elastic clusters for bags of tasks. */
@NullMarked
package dev.berth.experiments.studies.elastic;

import org.jspecify.annotations.NullMarked;
