/** Studies of QoS-driven scheduling. */
@NullMarked
package dev.berth.experiments.studies.qos;

import org.jspecify.annotations.NullMarked;
