/** The files of the Borg simulator of the QoS-driven scheduling group. */
@NullMarked
package dev.berth.traces.format.borg;

import org.jspecify.annotations.NullMarked;
