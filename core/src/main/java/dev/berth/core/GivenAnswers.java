package dev.berth.core;

import dev.berth.api.Instance;
import dev.berth.api.fleet.Adoption;
import dev.berth.api.fleet.ObservedInstance;
import dev.berth.api.fleet.Reconciler;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A reconciler whose answers were given before. */
final class GivenAnswers implements Reconciler {

  private final Map<String, Adoption> adoptions = new HashMap<>();
  private final Set<String> ended;

  GivenAnswers(Collection<Adoption> adoptions, Collection<String> ended) {
    adoptions.forEach(each -> this.adoptions.put(each.request().id(), each));
    this.ended = new HashSet<>(ended);
  }

  @Override
  public Optional<Adoption> adopt(ObservedInstance unknown) {
    return Optional.ofNullable(adoptions.get(unknown.id()));
  }

  @Override
  public boolean hasEnded(Instance gone) {
    return ended.contains(gone.id());
  }
}
