/** Binding of JSON to the configuration records of policies, with all errors at once. */
@NullMarked
package dev.berth.core.config;

import org.jspecify.annotations.NullMarked;
