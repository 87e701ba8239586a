/** What ran where and when, as columns of numbers, and what records it. */
@NullMarked
package dev.berth.timeline;

import org.jspecify.annotations.NullMarked;
