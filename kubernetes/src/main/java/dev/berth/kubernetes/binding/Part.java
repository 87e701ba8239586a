package dev.berth.kubernetes.binding;

import dev.berth.kubernetes.config.Configuration;
import dev.berth.kubernetes.tasks.TaskThread;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;

/** What the parts of the binding share. */
class Part {

  final Configuration configuration;
  final ApiCalls calls;
  final KubernetesSerialization json;
  final ClusterMirror mirror;
  final InstanceBook book;
  final PodNotes notes;
  final LoopPort loop;
  final SchedulerTime time;
  final TaskThread tasks;

  Part(
      Configuration configuration,
      ApiCalls calls,
      KubernetesSerialization json,
      ClusterMirror mirror,
      InstanceBook book,
      PodNotes notes,
      LoopPort loop,
      SchedulerTime time,
      TaskThread tasks) {
    this.configuration = configuration;
    this.calls = calls;
    this.json = json;
    this.mirror = mirror;
    this.book = book;
    this.notes = notes;
    this.loop = loop;
    this.time = time;
    this.tasks = tasks;
  }

  /** Creates another part beside one. */
  Part(Part other) {
    this(
        other.configuration,
        other.calls,
        other.json,
        other.mirror,
        other.book,
        other.notes,
        other.loop,
        other.time,
        other.tasks);
  }
}
