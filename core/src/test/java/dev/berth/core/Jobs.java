package dev.berth.core;

import static dev.berth.core.Cluster.request;

import dev.berth.api.Moldability;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import java.time.Duration;

/** Batch jobs for tests. */
final class Jobs {

  private Jobs() {}

  /** Returns a job with this estimated run time; zero means no estimate. */
  static Request.Builder job(String id, double cores, int seconds) {
    Request.Builder job = request(id, cores);
    return seconds == 0 ? job : job.estimatedRunTime(Duration.ofSeconds(seconds));
  }

  /** Returns a moldable job with this estimated run time. */
  static Request.Builder moldable(String id, double cores, int seconds) {
    return job(id, cores, seconds).moldability(Moldability.LINPACK);
  }

  /** Returns the reason of a job that waits for the head of the queue. */
  static Reason behind(String head) {
    return new Reason.QueuedBehind(head);
  }
}
