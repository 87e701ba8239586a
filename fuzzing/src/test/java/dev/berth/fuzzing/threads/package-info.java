/** Threads that use a loop at once, in as many interleavings as jcstress finds. */
package dev.berth.fuzzing.threads;
