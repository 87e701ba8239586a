package dev.berth.kubernetes.binding;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;

/**
 * A pod by its UID, since another pod may get its name.
 *
 * @param uid its UID
 * @param namespace its namespace
 * @param name its name
 */
record PodRef(String uid, String namespace, String name) {

  static PodRef of(Pod pod) {
    ObjectMeta meta = pod.getMetadata();
    return new PodRef(meta.getUid(), meta.getNamespace(), meta.getName());
  }

  /** Returns the path of the pod in the API. */
  String path() {
    return "/api/v1/namespaces/%s/pods/%s".formatted(namespace, name);
  }

  /** Returns its name for people. */
  String key() {
    return namespace + "/" + name;
  }

  /** Returns the instance of a pod that continues no other. */
  String instance() {
    return key() + "/" + uid;
  }
}
