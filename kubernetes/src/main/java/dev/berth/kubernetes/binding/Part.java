package dev.berth.kubernetes.binding;

import dev.berth.kubernetes.config.Configuration;
import dev.berth.kubernetes.tasks.TaskThread;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.BooleanSupplier;

/** What the parts of the binding share. */
class Part {

  private static final int REQUESTS_UNDER_WAY = 32;
  private static final Duration REQUEST = LeaderLease.Times.DEFAULT.request();

  final Configuration configuration;
  final ApiCalls calls;
  final KubernetesSerialization json;
  final ClusterMirror mirror;
  final InstanceBook book;
  final PodNotes notes;
  final LoopPort loop;
  final SchedulerTime time;
  final TaskThread tasks;

  /**
   * Creates what all parts share.
   *
   * @param mayWrite asked before each change of the cluster
   * @param identity the name of this process in events
   * @param timeOfDay asked once
   * @param changes hears what has changed in the cluster, in tasks of the binding
   */
  Part(
      KubernetesClient client,
      Configuration configuration,
      BooleanSupplier mayWrite,
      String identity,
      InstantSource timeOfDay,
      ClusterMirror.Listener changes) {
    this.configuration = configuration;
    this.calls = new ApiCalls(client, mayWrite, REQUESTS_UNDER_WAY, REQUEST);
    this.json = client.getKubernetesSerialization();
    this.tasks = new TaskThread("berth-binding");
    this.mirror = new ClusterMirror(client, tasks, changes);
    this.book = new InstanceBook();
    this.notes = new PodNotes(calls, json, configuration.schedulerName(), identity);
    this.time = new SchedulerTime(timeOfDay);
    this.loop = new LoopPort(tasks, time);
  }

  /** Creates another part beside one. */
  Part(Part other) {
    this.configuration = other.configuration;
    this.calls = other.calls;
    this.json = other.json;
    this.mirror = other.mirror;
    this.book = other.book;
    this.notes = other.notes;
    this.loop = other.loop;
    this.time = other.time;
    this.tasks = other.tasks;
  }
}
