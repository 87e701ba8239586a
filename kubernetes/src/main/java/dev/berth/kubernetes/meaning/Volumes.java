package dev.berth.kubernetes.meaning;

import dev.berth.api.Constraint;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeSpec;
import io.fabric8.kubernetes.api.model.Volume;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Translates the volumes of a pod into constraints on its host. */
final class Volumes {

  /** Labels of volumes that name the places from which they can be reached. */
  private static final List<String> PLACES =
      List.of(
          "topology.kubernetes.io/zone",
          "topology.kubernetes.io/region",
          "failure-domain.beta.kubernetes.io/zone",
          "failure-domain.beta.kubernetes.io/region");

  private Volumes() {}

  static List<Constraint> read(
      String namespace, String pod, List<Volume> volumes, Claims claims, Findings findings) {
    List<Constraint> constraints = new ArrayList<>();
    for (int i = 0; i < volumes.size(); i++) {
      Volume each = volumes.get(i);
      String path = "spec.volumes[%s]".formatted(i);
      Optional<String> limited = attachedByScheduler(each);
      if (limited.isPresent()) {
        findings.refuse(
            path + "." + limited.get(),
            Nulls.text(each.getName()),
            "is a kind of volume that the scheduler does not know",
            "Use a claim of a CSI driver.");
      } else if (each.getPersistentVolumeClaim() != null) {
        String claim = Nulls.text(each.getPersistentVolumeClaim().getClaimName());
        String place = path + ".persistentVolumeClaim";
        constraints.addAll(claim(place, namespace, claim, claims, findings));
      } else if (each.getEphemeral() != null) {
        String claim = pod + "-" + Nulls.text(each.getName());
        constraints.addAll(claim(path + ".ephemeral", namespace, claim, claims, findings));
      }
    }
    return constraints;
  }

  /** Returns the kind of a volume for which kube-scheduler has rules of its own. */
  private static Optional<String> attachedByScheduler(Volume volume) {
    Map<String, @Nullable Object> kinds = new LinkedHashMap<>();
    kinds.put("gcePersistentDisk", volume.getGcePersistentDisk());
    kinds.put("awsElasticBlockStore", volume.getAwsElasticBlockStore());
    kinds.put("azureDisk", volume.getAzureDisk());
    kinds.put("cinder", volume.getCinder());
    kinds.put("iscsi", volume.getIscsi());
    kinds.put("rbd", volume.getRbd());
    kinds.put("vsphereVolume", volume.getVsphereVolume());
    kinds.values().removeIf(Objects::isNull);
    if (volume.getAdditionalProperties() != null) {
      volume.getAdditionalProperties().keySet().stream()
          .map(Nulls::text)
          .sorted()
          .forEach(each -> kinds.put(each, each));
    }
    return kinds.keySet().stream().findFirst();
  }

  private static List<Constraint> claim(
      String path, String namespace, String claim, Claims claims, Findings findings) {
    Optional<PersistentVolume> volume = claims.volumeOf(namespace, claim);
    if (volume.isEmpty() || volume.get().getSpec() == null) {
      findings.refuse(
          path,
          claim,
          "must be bound to a volume, because the scheduler does not choose volumes",
          "Use a storage class with volumeBindingMode Immediate.");
      return List.of();
    }
    PersistentVolumeSpec spec = volume.get().getSpec();
    if (Nulls.list(spec.getAccessModes()).contains("ReadWriteOncePod")) {
      findings.refuse(
          path,
          claim,
          "is a claim for one pod at a time, which the scheduler cannot promise",
          "Use the access mode ReadWriteOnce.");
    }
    List<Constraint> constraints = new ArrayList<>();
    if (spec.getNodeAffinity() != null) {
      constraints.addAll(
          NodeAffinities.required(
              path + ": volume.spec.nodeAffinity.required",
              spec.getNodeAffinity().getRequired(),
              findings));
    }
    constraints.addAll(places(volume.get()));
    return constraints;
  }

  private static List<Constraint> places(PersistentVolume volume) {
    Map<String, String> labels =
        volume.getMetadata() == null ? Map.of() : Nulls.map(volume.getMetadata().getLabels());
    List<Constraint> constraints = new ArrayList<>();
    for (String each : PLACES) {
      String value = labels.get(each);
      if (value != null) {
        Set<String> values = new TreeSet<>(List.of(value.split("__", -1)));
        constraints.add(new Constraint.In(each, values));
      }
    }
    return constraints;
  }
}
