/**
 * Binding of JSON trees to configuration records, for the modules of Berth alone.
 *
 * <p>Its signatures have types of Jackson, so the module exports it only to them. An embedder gives
 * a configuration as text to {@code Scheduler.Builder.policy}.
 */
@NullMarked
package dev.berth.core.config.tree;

import org.jspecify.annotations.NullMarked;
