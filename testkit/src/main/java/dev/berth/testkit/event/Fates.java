package dev.berth.testkit.event;

import dev.berth.api.Adoption;
import dev.berth.api.Instance;
import dev.berth.api.ObservedInstance;
import dev.berth.api.Reconciler;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What becomes of the instances that only a scheduler knows, and of those that only a fleet knows,
 * as plain data. Immutable.
 *
 * @param ended ids of instances that have ended if they are gone; others are pending again
 * @param adopted by id, how to adopt instances that are unknown; what others hold is foreign load
 */
public record Fates(Set<String> ended, Map<String, Adoption> adopted) implements Reconciler {

  /** Copies the collections. */
  public Fates {
    ended = Set.copyOf(ended);
    adopted = Map.copyOf(adopted);
  }

  /** Returns how to adopt an instance; empty: what it holds is foreign load. */
  public Optional<Adoption> adoption(String id) {
    return Optional.ofNullable(adopted.get(id));
  }

  @Override
  public Optional<Adoption> adopt(ObservedInstance unknown) {
    return adoption(unknown.id());
  }

  @Override
  public boolean hasEnded(Instance gone) {
    return ended.contains(gone.id());
  }
}
