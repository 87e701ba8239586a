/** The Bitbrains traces of virtual machines (GWA-T-12). */
@NullMarked
package dev.berth.traces.format.bitbrains;

import org.jspecify.annotations.NullMarked;
