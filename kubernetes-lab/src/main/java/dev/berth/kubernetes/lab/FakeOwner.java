package dev.berth.kubernetes.lab;

import static dev.berth.api.Arguments.refuseIf;

import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * An owner of pods for a {@link FakeController}. It is no object of the API server; its pods refer
 * to it nevertheless.
 *
 * @param name unique among the owners of its kind in the namespace
 * @param pods how many pods it keeps, 0 or more; of a job, how many must complete
 * @param template labels, annotations and content of its pods
 */
public record FakeOwner(
    Kind kind, String namespace, String name, int pods, PodTemplateSpec template) {

  /** The kinds of owners, by how they replace pods. */
  public enum Kind {
    /**
     * Replaces a pod that is being deleted or has ended, at once and under another name. Pods that
     * have ended stay.
     */
    REPLICA_SET("apps/v1", "ReplicaSet"),
    /**
     * Numbers its pods from 0. Replaces one that is gone, under the same name; deletes failed ones.
     */
    STATEFUL_SET("apps/v1", "StatefulSet"),
    /** As a replica set, but does not replace pods that have completed. */
    JOB("batch/v1", "Job"),
    /**
     * As a job, but each pod has a number from 0, as annotation {@value #COMPLETION_INDEX}, which
     * its replacement gets too.
     */
    INDEXED_JOB("batch/v1", "Job");

    /** The annotation of a pod of an indexed job that has its number. */
    public static final String COMPLETION_INDEX = "batch.kubernetes.io/job-completion-index";

    private final String apiVersion;
    private final String object;

    Kind(String apiVersion, String object) {
      this.apiVersion = apiVersion;
      this.object = object;
    }

    /** Returns the version of the API that owner references have. */
    public String apiVersion() {
      return apiVersion;
    }

    /** Returns the kind that owner references have. */
    public String object() {
      return object;
    }

    boolean isNumbered() {
      return this == STATEFUL_SET || this == INDEXED_JOB;
    }
  }

  /**
   * Checks the number of pods.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public FakeOwner {
    refuseIf(pods < 0, "FakeOwner: %s %s/%s cannot keep %d pods", kind, namespace, name, pods);
  }

  /** Returns a copy that keeps another number of pods. */
  public FakeOwner withPods(int others) {
    return new FakeOwner(kind, namespace, name, others, template);
  }

  /** Returns the UID that its pods refer to. It depends on kind, namespace and name alone. */
  public String uid() {
    String key = kind.object() + "/" + namespace + "/" + name;
    return UUID.nameUUIDFromBytes(key.getBytes(StandardCharsets.UTF_8)).toString();
  }
}
