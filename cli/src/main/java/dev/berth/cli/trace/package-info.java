/** What ran where and when, in formats of other tools. */
@NullMarked
package dev.berth.cli.trace;

import org.jspecify.annotations.NullMarked;
