/** The executions of requests: their work, their account, and what they report. */
@NullMarked
package dev.berth.simulator.internal.execution;

import org.jspecify.annotations.NullMarked;
