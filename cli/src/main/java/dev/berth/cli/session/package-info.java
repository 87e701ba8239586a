/**
 * What all commands share: their writers, the policies, and the services of the top-level command.
 */
@NullMarked
package dev.berth.cli.session;

import org.jspecify.annotations.NullMarked;
