/** The Google cluster trace of 2011 (ClusterData2011_2). */
@NullMarked
package dev.berth.traces.format.google;

import org.jspecify.annotations.NullMarked;
