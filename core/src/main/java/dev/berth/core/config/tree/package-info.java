/**
 * Binding of JSON trees to configuration records, for the modules of Berth alone.
 *
 * <p>Its signatures have types of Jackson, so the module exports it only to them. The public form,
 * with JSON text, is {@code dev.berth.core.config.ConfigBinder}.
 */
@NullMarked
package dev.berth.core.config.tree;

import org.jspecify.annotations.NullMarked;
