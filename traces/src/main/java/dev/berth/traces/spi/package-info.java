/** What a provider of formats implements, and what its formats are given. */
@NullMarked
package dev.berth.traces.spi;

import org.jspecify.annotations.NullMarked;
