package dev.berth.core.internal.state;

import dev.berth.api.Domain;
import dev.berth.api.Peers;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How many of some peers are in each place of a domain, and how many instances there keep them
 * away.
 *
 * <p>A place is identified by a {@link HostRecord} or by the value of an attribute.
 */
public final class PeerTable {

  /** A place that holds peers, or instances that keep them away. */
  static final class Place {
    long peers;
    long keepers;
  }

  /** The places on whose hosts some constraints hold. */
  private static final class Places {
    final List<Object> keys; // in order of name; other tables share them
    long fewest; // peers in one of them
    long fewestAsOf = -1; // the version of the counts

    Places(List<Object> keys) {
      this.keys = keys;
    }
  }

  public final Peers peers;
  public final Domain domain;
  private final @Nullable String attribute; // null: each host is a place
  private final int number; // of the attribute
  int users; // instances with a rule or preference about this
  private final Map<Object, Place> places = new HashMap<>(); // of those with counts; only looked up
  private long onHosts; // peers, in a place or not
  private long keepers;
  private long version;

  // By the constraints of requests, for the present set of hosts
  private final Map<Object, Places> eligible = new HashMap<>();
  private long eligibleAsOf = -1;
  private @Nullable Places latest; // those that were asked for last, null: none
  private ConstraintIndex.@Nullable Entry latestConstraints;

  /**
   * Begins to count.
   *
   * @param number of the attribute of the domain in {@link PeerIndex}; no matter if it has none
   */
  PeerTable(Peers peers, Domain domain, int number) {
    this.peers = peers;
    this.domain = domain;
    this.number = number;
    this.attribute = domain.attribute().orElse(null);
  }

  /** Returns whether each host is a place of its own. */
  public boolean isByHost() {
    return attribute == null;
  }

  /** Returns the attribute whose values are the places, or null if each host is one. */
  public @Nullable String attribute() {
    return attribute;
  }

  /** Returns the place of a host, or null if it belongs to none. */
  @Nullable Object placeOf(HostRecord host) {
    return attribute == null ? host : host.value(attribute, number);
  }

  /** Returns the place of a host by an attribute, or by host if there is none. */
  static @Nullable Object placeOf(@Nullable String attribute, HostRecord host) {
    return attribute == null ? host : host.spec.attributes().get(attribute);
  }

  static String nameOf(Object place) {
    return place instanceof HostRecord host ? host.id() : (String) place;
  }

  // ---- Counting

  void addPeers(HostRecord host, long change) {
    onHosts += change;
    Object key = placeOf(host);
    if (key != null) {
      Place place = places.computeIfAbsent(key, any -> new Place());
      place.peers += change;
      forgetIfEmpty(key, place);
    }
    version++;
  }

  void addKeepers(HostRecord host, long change) {
    Object key = placeOf(host);
    if (key != null) {
      keepers += change;
      Place place = places.computeIfAbsent(key, any -> new Place());
      place.keepers += change;
      forgetIfEmpty(key, place);
    }
    version++;
  }

  private void forgetIfEmpty(Object key, Place place) {
    if (place.peers == 0 && place.keepers == 0) {
      places.remove(key);
    }
  }

  // ---- Reading

  /** Returns the number of peers on hosts. */
  long onHosts() {
    return onHosts;
  }

  /** Returns whether some instance on a host keeps the peers away from its place. */
  boolean hasKeepers() {
    return keepers > 0;
  }

  long peersIn(@Nullable Object place) {
    Place there = place == null ? null : places.get(place);
    return there == null ? 0 : there.peers;
  }

  long keepersIn(@Nullable Object place) {
    Place there = place == null ? null : places.get(place);
    return there == null ? 0 : there.keepers;
  }

  /** Returns the number of peers in the place that has the most. Cost O(places). */
  long mostPeers() {
    long most = 0;
    for (Place each : places.values()) {
      most = Math.max(most, each.peers);
    }
    return most;
  }

  /** Returns the places with peers or keepers, in no particular order. */
  public Set<Object> occupied() {
    return Collections.unmodifiableSet(places.keySet());
  }

  /**
   * Returns the number of peers in the place that has the fewest, of those on whose hosts some
   * constraints hold. Cost O(places) after a change of the counts, otherwise O(1); once for all
   * counts by an attribute O(hosts) after a change of the hosts.
   */
  long fewestPeers(ConstraintIndex.@Nullable Entry constraints, ClusterState state) {
    Places counted = eligible(constraints, state);
    if (counted.fewestAsOf != version) {
      long fewest = Long.MAX_VALUE;
      for (Object each : counted.keys) {
        fewest = Math.min(fewest, peersIn(each));
      }
      counted.fewest = fewest == Long.MAX_VALUE ? 0 : fewest;
      counted.fewestAsOf = version;
    }
    return counted.fewest;
  }

  /** Returns the places on whose hosts some constraints hold, in order of name. */
  List<Object> placesFor(ConstraintIndex.@Nullable Entry constraints, ClusterState state) {
    return eligible(constraints, state).keys;
  }

  private Places eligible(ConstraintIndex.@Nullable Entry constraints, ClusterState state) {
    if (eligibleAsOf != state.peers.hostSets()) {
      eligible.clear();
      latest = null;
      eligibleAsOf = state.peers.hostSets();
    }
    if (latest != null && latestConstraints == constraints) {
      return latest;
    }
    Object key = constraints == null ? List.of() : constraints.constraints;
    Places found = eligible.get(key);
    if (found == null) {
      found = new Places(state.peers.places(attribute, constraints, state));
      eligible.put(key, found);
    }
    latest = found;
    latestConstraints = constraints;
    return found;
  }
}
