package dev.berth.core.internal.rule;

import dev.berth.api.Constraint;
import dev.berth.api.Domain;
import dev.berth.api.Peers;
import dev.berth.api.PlacementRule;
import dev.berth.api.PlacementSpec;
import dev.berth.api.Preference;
import dev.berth.api.Taint;
import dev.berth.core.internal.rule.InstanceRules.Term;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The instances to which rules and preferences of others may refer, and the counts of them by
 * place. Keeps counts only for what live requests refer to.
 */
public final class PeerIndex implements PeerTable.Places {

  private static final int MOST_KEPT = 1024; // lists of places

  /**
   * What decides which places count.
   *
   * @param attribute whose values are the places; null: each host is one
   * @param constraints those of a request
   */
  private record Eligible(@Nullable String attribute, List<Constraint> constraints) {}

  private final Map<String, JobRecord> jobs = new LinkedHashMap<>(); // with members
  private final Collection<? extends RuledHost> hosts; // that are up, live
  private final Map<String, JobRecord> absentJobs = new HashMap<>(); // referred to, without members
  private final Map<LabelRecord.Key, LabelRecord> labels = new HashMap<>();
  private final Map<String, Integer> attributes =
      new LinkedHashMap<>(); // of rules and preferences so far, with their numbers
  private long hostSets; // changes of the hosts and their attributes
  private long changes; // of the hosts or of any count
  private int softlyTainted; // hosts
  private final Map<Eligible, List<Object>> places = new HashMap<>(); // for the present hosts
  private long placesAsOf = -1;

  /**
   * Begins to count.
   *
   * @param hosts those that are up, live
   */
  public PeerIndex(Collection<? extends RuledHost> hosts) {
    this.hosts = hosts;
  }

  /** Returns the job of that name, or null if it has no members. */
  public @Nullable JobRecord job(String name) {
    return jobs.get(name);
  }

  // ---- Instances that come and go

  /** Returns the job of a new instance. */
  public JobRecord join(String name) {
    JobRecord job = jobs.get(name);
    if (job == null) {
      job = absentJobs.remove(name);
      job = job == null ? new JobRecord(name) : job;
      jobs.put(name, job);
    }
    job.members++;
    return job;
  }

  /** Connects a new instance, which is on no host, with what its rules refer to. */
  public void connect(RuledInstance instance) {
    Map<String, String> named = instance.request.labels();
    if (!named.isEmpty()) {
      LabelRecord[] records = new LabelRecord[named.size()];
      int[] indices = new int[named.size()];
      int i = 0;
      for (Map.Entry<String, String> each : named.entrySet()) {
        LabelRecord record = label(new LabelRecord.Key(each.getKey(), each.getValue()));
        records[i] = record;
        indices[i++] = record.add(instance);
      }
      instance.labels = records;
      instance.labelPlaces = indices;
    }
    PlacementSpec spec = instance.request.placement();
    if (!spec.rules().isEmpty() || !spec.preferences().isEmpty()) {
      instance.rules = rulesOf(instance, spec);
    }
  }

  /** Disconnects an instance that is done. */
  public void disconnect(RuledInstance instance) {
    InstanceRules rules = instance.rules;
    if (rules != null) {
      for (PeerTable each : rules.tables()) {
        release(each);
      }
    }
    LabelRecord[] records = instance.labels;
    if (records != null) {
      for (int i = 0; i < records.length; i++) {
        int place = instance.labelPlaces[i];
        RuledInstance moved = records[i].remove(place);
        if (moved != instance) {
          moved.movedInLabel(records[i], place);
        }
        dropIfUnused(records[i]);
      }
    }
    JobRecord job = instance.job;
    if (job != null && --job.members == 0) {
      jobs.remove(job.name);
      if (!job.tables.isEmpty()) {
        absentJobs.put(job.name, job);
      }
    }
  }

  private LabelRecord label(LabelRecord.Key key) {
    return labels.computeIfAbsent(key, LabelRecord::new);
  }

  private void dropIfUnused(LabelRecord record) {
    if (record.isEmpty() && record.tables.isEmpty()) {
      labels.remove(record.key);
    }
  }

  // ---- Rules and preferences

  private InstanceRules rulesOf(RuledInstance instance, PlacementSpec spec) {
    List<Term<PlacementRule.Near>> near = new ArrayList<>();
    List<Term<PlacementRule.Apart>> apart = new ArrayList<>();
    List<Term<PlacementRule.Spread>> spread = new ArrayList<>();
    List<PeerTable> tables = new ArrayList<>();
    for (PlacementRule each : spec.rules()) {
      if (instance.job != null && instance.job.isKeptApartBy(each)) {
        continue; // it is kept as such
      }
      PeerTable table = acquire(each.peers(), each.domain(), tables);
      if (each instanceof PlacementRule.Near rule) {
        near.add(new Term<>(rule, table, 0, 0));
      } else if (each instanceof PlacementRule.Apart rule) {
        apart.add(new Term<>(rule, table, 0, 0));
      } else if (each instanceof PlacementRule.Spread rule) {
        spread.add(new Term<>(rule, table, 0, rule.maxSkew()));
      }
    }
    List<Term<Preference.Near>> wishesNear = new ArrayList<>();
    List<Term<Preference.Apart>> wishesApart = new ArrayList<>();
    List<Preference.OnHost> wishesOnHost = new ArrayList<>();
    for (Preference each : spec.preferences()) {
      if (each instanceof Preference.OnHost wish) {
        wishesOnHost.add(wish);
        refersTo(wish.constraint().attribute());
      } else if (each instanceof Preference.Near wish) {
        PeerTable table = acquire(wish.peers(), wish.domain(), tables);
        wishesNear.add(new Term<>(wish, table, wish.weight(), 0));
      } else if (each instanceof Preference.Apart wish) {
        PeerTable table = acquire(wish.peers(), wish.domain(), tables);
        wishesApart.add(new Term<>(wish, table, wish.weight(), 0));
      }
    }
    return new InstanceRules(near, apart, spread, wishesNear, wishesApart, wishesOnHost, tables);
  }

  private PeerTable acquire(Peers peers, Domain domain, List<PeerTable> acquired) {
    PeerGroup group = groupOf(peers);
    PeerTable table = null;
    for (PeerTable each : group.tables) {
      table = each.domain.equals(domain) ? each : table;
    }
    if (table == null) {
      table = new PeerTable(peers, domain, domain.attribute().map(this::numberOf).orElse(0), this);
      group.countIn(table);
      group.tables.add(table);
    }
    table.users++;
    acquired.add(table);
    return table;
  }

  private PeerGroup groupOf(Peers peers) {
    if (peers instanceof Peers.Labelled label) {
      return label(new LabelRecord.Key(label.name(), label.value()));
    }
    String name = ((Peers.OfJob) peers).job();
    JobRecord job = jobs.get(name);
    return job != null ? job : absentJobs.computeIfAbsent(name, JobRecord::new);
  }

  private void release(PeerTable table) {
    if (--table.users > 0) {
      return;
    }
    PeerGroup group = groupOf(table.peers);
    group.tables.remove(table);
    if (group instanceof LabelRecord record) {
      dropIfUnused(record);
    } else if (group instanceof JobRecord job && job.members == 0 && job.tables.isEmpty()) {
      absentJobs.remove(job.name);
    }
  }

  private int numberOf(String attribute) {
    refersTo(attribute);
    return Objects.requireNonNull(attributes.get(attribute));
  }

  private void refersTo(String attribute) {
    attributes.putIfAbsent(attribute, attributes.size());
  }

  /** Returns the attributes that rules and preferences have referred to, in order of first use. */
  public Set<String> attributes() {
    return Collections.unmodifiableSet(attributes.keySet());
  }

  // ---- Instances that move

  /** Counts an instance that has come to a host; its job counts it itself. */
  public void arrived(RuledInstance instance, RuledHost host) {
    if (instance.labels != null || instance.rules != null || instance.job != null) {
      count(instance, host, 1);
    }
  }

  /** Counts an instance that has left a host no longer; its job counts it itself. */
  public void left(RuledInstance instance, RuledHost host) {
    if (instance.labels != null || instance.rules != null || instance.job != null) {
      count(instance, host, -1);
    }
  }

  private void count(RuledInstance instance, RuledHost host, int change) {
    changes++;
    if (instance.labels != null) {
      for (LabelRecord each : instance.labels) {
        for (int i = 0; i < each.tables.size(); i++) {
          each.tables.get(i).addPeers(host, change);
        }
      }
    }
    if (instance.rules != null) {
      for (Term<PlacementRule.Apart> each : instance.rules.apart) {
        each.table().addKeepers(host, change);
      }
    }
  }

  /** Counts the instances on a host no longer, since its attributes are about to change. */
  public void beforeChange(RuledHost host, List<? extends RuledInstance> there) {
    recount(host, there, -1);
  }

  /** Counts the instances on a host again, and notes that the set of hosts has changed. */
  public void afterChange(RuledHost host, List<? extends RuledInstance> there) {
    recount(host, there, 1);
    hostsChanged();
  }

  private void recount(RuledHost host, List<? extends RuledInstance> there, int change) {
    for (RuledInstance each : there) {
      count(each, host, change);
      if (each.job != null) {
        for (PeerTable table : each.job.tables) {
          table.addPeers(host, change);
        }
      }
    }
    softlyTainted += isSoftlyTainted(host) ? change : 0;
  }

  // ---- Hosts

  public void joined(RuledHost host) {
    softlyTainted += isSoftlyTainted(host) ? 1 : 0;
    hostsChanged();
  }

  public void left(RuledHost host) {
    softlyTainted -= isSoftlyTainted(host) ? 1 : 0;
    hostsChanged();
  }

  private void hostsChanged() {
    hostSets++;
    changes++;
  }

  private static boolean isSoftlyTainted(RuledHost host) {
    for (Taint each : host.spec().taints()) {
      if (each.effect() == Taint.Effect.PREFER_NOT) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the places on whose hosts some constraints hold, in order of name. Many jobs have the
   * same places, so they are collected once. Cost O(hosts) after a change of the hosts, otherwise
   * O(1).
   *
   * @param attribute whose values are the places; null: each host is one
   */
  @Override
  public List<Object> places(
      @Nullable String attribute, ConstraintIndex.@Nullable Entry constraints) {
    if (placesAsOf != hostSets || places.size() == MOST_KEPT) {
      places.clear();
      placesAsOf = hostSets;
    }
    Eligible key =
        new Eligible(attribute, constraints == null ? List.of() : constraints.constraints);
    List<Object> found = places.get(key);
    if (found == null) {
      found = collect(attribute, constraints);
      places.put(key, found);
    }
    return found;
  }

  private List<Object> collect(
      @Nullable String attribute, ConstraintIndex.@Nullable Entry constraints) {
    Map<String, Object> byName = new TreeMap<>();
    for (RuledHost host : hosts) {
      Object place = PeerTable.placeOf(attribute, host);
      if (place != null && (constraints == null || constraints.holdsOn(host.slot()))) {
        byName.put(PeerTable.nameOf(place), place);
      }
    }
    return List.copyOf(byName.values());
  }

  /** Returns a number that changes with the set of hosts and with their attributes. */
  @Override
  public long hostSets() {
    return hostSets;
  }

  /** Returns a number that changes with the hosts, and when an instance with peers moves. */
  public long changes() {
    return changes;
  }

  /** Returns whether some host has a taint that only discourages instances. */
  public boolean discourage() {
    return softlyTainted > 0;
  }
}
