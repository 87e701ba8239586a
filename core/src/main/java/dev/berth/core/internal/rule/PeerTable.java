package dev.berth.core.internal.rule;

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
 * <p>A place is identified by a {@link RuledHost} or by the value of an attribute.
 */
public final class PeerTable {

  /** A place that holds peers, or instances that keep them away. */
  static final class Place {
    long peers;
    long keepers;
  }

  /** The places on whose hosts some constraints hold. */
  private static final class Eligible {
    final List<Object> keys; // in order of name; other tables share them
    long fewest; // peers in one of them
    long fewestAsOf = -1; // the version of the counts

    Eligible(List<Object> keys) {
      this.keys = keys;
    }
  }

  /** The places of the hosts that are up. */
  interface Places {

    /** Returns a number that changes with the set of hosts and with their attributes. */
    long hostSets();

    /**
     * Returns the places on whose hosts some constraints hold, in order of name.
     *
     * @param attribute whose values are the places; null: each host is one
     */
    List<Object> places(@Nullable String attribute, ConstraintIndex.@Nullable Entry constraints);
  }

  public final Peers peers;
  public final Domain domain;
  private final @Nullable String attribute; // null: each host is a place
  private final int number; // of the attribute
  private final Places source;
  int users; // instances with a rule or preference about this
  private final Map<Object, Place> places = new HashMap<>(); // of those with counts; only looked up
  private long onHosts; // peers, in a place or not
  private long keepers;
  private long version;

  // By the constraints of requests, for the present set of hosts
  private final Map<Object, Eligible> eligible = new HashMap<>();
  private long eligibleAsOf = -1;
  private @Nullable Eligible latest; // those that were asked for last, null: none
  private ConstraintIndex.@Nullable Entry latestConstraints;

  /**
   * Begins to count.
   *
   * @param number of the attribute of the domain; no matter if it has none
   * @param source the places of the present hosts
   */
  PeerTable(Peers peers, Domain domain, int number, Places source) {
    this.peers = peers;
    this.domain = domain;
    this.number = number;
    this.source = source;
    this.attribute = domain.attribute().orElse(null);
  }

  /** Returns whether each host is a place of its own. */
  public boolean isByHost() {
    return attribute == null;
  }

  /** Returns the place of a host, or null if it belongs to none. */
  @Nullable Object placeOf(RuledHost host) {
    return attribute == null ? host : host.value(attribute, number);
  }

  /** Returns the place of a host by an attribute, or by host if there is none. */
  static @Nullable Object placeOf(@Nullable String attribute, RuledHost host) {
    return attribute == null ? host : host.spec().attributes().get(attribute);
  }

  static String nameOf(Object place) {
    return place instanceof RuledHost host ? host.id() : (String) place;
  }

  // ---- Counting

  void addPeers(RuledHost host, long change) {
    onHosts += change;
    Object key = placeOf(host);
    if (key != null) {
      Place place = places.computeIfAbsent(key, any -> new Place());
      place.peers += change;
      forgetIfEmpty(key, place);
    }
    version++;
  }

  void addKeepers(RuledHost host, long change) {
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
  public long onHosts() {
    return onHosts;
  }

  /** Returns whether some instance on a host keeps the peers away from its place. */
  boolean hasKeepers() {
    return keepers > 0;
  }

  long peersIn(@Nullable Object place) {
    Place there = places.get(place);
    return there == null ? 0 : there.peers;
  }

  long keepersIn(@Nullable Object place) {
    Place there = places.get(place);
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
  long fewestPeers(ConstraintIndex.@Nullable Entry constraints) {
    Eligible counted = eligible(constraints);
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
  List<Object> placesFor(ConstraintIndex.@Nullable Entry constraints) {
    return eligible(constraints).keys;
  }

  private Eligible eligible(ConstraintIndex.@Nullable Entry constraints) {
    if (eligibleAsOf != source.hostSets()) {
      eligible.clear();
      latest = null;
      eligibleAsOf = source.hostSets();
    }
    if (latest != null && latestConstraints == constraints) {
      return latest;
    }
    Object key = constraints == null ? List.of() : constraints.constraints;
    Eligible found = eligible.get(key);
    if (found == null) {
      found = new Eligible(source.places(attribute, constraints));
      eligible.put(key, found);
    }
    latest = found;
    latestConstraints = constraints;
    return found;
  }
}
