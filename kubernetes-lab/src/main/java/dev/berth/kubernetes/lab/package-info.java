/**
 * A Kubernetes cluster without machines, for tests and experiments: a real API server on loopback,
 * nodes that exist in it alone, and stand-ins for the kubelet and the controllers.
 *
 * <p>{@link dev.berth.kubernetes.lab.ControlPlane} starts the servers, {@link
 * dev.berth.kubernetes.lab.FakeKubelet} runs the pods, and {@link
 * dev.berth.kubernetes.lab.FakeController} replaces those that are deleted. Only the scheduler is
 * missing.
 */
@NullMarked
package dev.berth.kubernetes.lab;

import org.jspecify.annotations.NullMarked;
