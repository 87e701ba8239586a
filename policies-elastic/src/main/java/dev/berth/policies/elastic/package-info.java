/**
 * Growing and shrinking virtual clusters for bags of tasks: ElasticCluster and ElasticSite.
 *
 * <p>Source: the master's thesis on ElasticCluster (2012, in Portuguese). Section, equation and
 * algorithm numbers refer to it.
 */
@NullMarked
package dev.berth.policies.elastic;

import org.jspecify.annotations.NullMarked;
