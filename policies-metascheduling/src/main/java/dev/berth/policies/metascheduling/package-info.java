/**
 * Choosing a site with little information: a site is a host that time-shares its cores among its
 * jobs and is never full.
 *
 * <p>Source: Rodrigues et al., on metascheduling policies for the SINAPAD grid (in Portuguese).
 * Section and equation numbers refer to it.
 */
@NullMarked
package dev.berth.policies.metascheduling;

import org.jspecify.annotations.NullMarked;
