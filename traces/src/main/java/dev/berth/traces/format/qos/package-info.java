/** The files of the QoS-driven scheduling paper. */
@NullMarked
package dev.berth.traces.format.qos;

import org.jspecify.annotations.NullMarked;
