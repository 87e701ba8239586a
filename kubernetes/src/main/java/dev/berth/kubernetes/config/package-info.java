/** The configuration of the scheduler of pods, as a document in a ConfigMap. */
@NullMarked
package dev.berth.kubernetes.config;

import org.jspecify.annotations.NullMarked;
