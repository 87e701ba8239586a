/** What users name on a command line: files, workloads, hosts, and the values of options. */
@NullMarked
package dev.berth.cli.input;

import org.jspecify.annotations.NullMarked;
