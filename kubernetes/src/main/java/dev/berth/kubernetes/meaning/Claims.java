package dev.berth.kubernetes.meaning;

import io.fabric8.kubernetes.api.model.PersistentVolume;
import java.util.Optional;

/** Finds the volumes that claims of pods are bound to. */
@FunctionalInterface
public interface Claims {

  /** Knows no claim, so that each pod with a claim is refused. */
  Claims NONE = (namespace, name) -> Optional.empty();

  /**
   * Returns the volume that a claim is bound to.
   *
   * @param name name of a PersistentVolumeClaim
   * @return empty if the claim is unknown, or not bound yet
   */
  Optional<PersistentVolume> volumeOf(String namespace, String name);
}
