/** Pods and nodes of a cluster with Kubernetes, as {@code kubectl get -o json} prints them. */
@NullMarked
package dev.berth.traces.format.kubectl;

import org.jspecify.annotations.NullMarked;
