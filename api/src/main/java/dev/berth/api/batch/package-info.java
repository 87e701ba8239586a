/** Requests that belong together: bags of tasks, and groups that start as one. */
@NullMarked
package dev.berth.api.batch;

import org.jspecify.annotations.NullMarked;
