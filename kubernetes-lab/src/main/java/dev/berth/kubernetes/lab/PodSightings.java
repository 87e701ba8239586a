package dev.berth.kubernetes.lab;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.util.function.Consumer;

/**
 * Hands on each state of each pod, and each pod that is gone. A pod that was made anew while the
 * watch was closed has the name of one that is gone; both are handed on.
 *
 * @param seen gets each pod as it is
 * @param gone gets each pod that is gone, as it was last
 */
public record PodSightings(Consumer<Pod> seen, Consumer<Pod> gone)
    implements ResourceEventHandler<Pod> {

  @Override
  public void onAdd(Pod pod) {
    seen.accept(pod);
  }

  @Override
  public void onUpdate(Pod before, Pod pod) {
    if (!before.getMetadata().getUid().equals(pod.getMetadata().getUid())) {
      gone.accept(before);
    }
    seen.accept(pod);
  }

  @Override
  public void onDelete(Pod pod, boolean isStateUnknown) {
    gone.accept(pod);
  }
}
