package dev.berth.traces.format.jsonl;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.Constraint;
import dev.berth.api.Domain;
import dev.berth.api.LimitUse;
import dev.berth.api.Peers;
import dev.berth.api.PlacementRule;
import dev.berth.api.PlacementSpec;
import dev.berth.api.Preference;
import dev.berth.api.Taint;
import dev.berth.api.Toleration;
import dev.berth.traces.input.Field;
import dev.berth.traces.internal.FieldWriter;
import dev.berth.traces.internal.JsonObject;
import dev.berth.traces.internal.PlacementExpressions;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** Taints, tolerations, rules, preferences and limits as JSON objects. */
final class JsonPlacement {

  static final String TAINTS = "taints";
  static final String TOLERATIONS = "tolerations";
  static final String RULES = "rules";
  static final String PREFERENCES = "preferences";
  static final String LIMITS = "limits";

  private static final String KEY = "key";
  private static final String VALUE = "value";
  private static final String EFFECT = "effect";
  private static final String GRACE = "grace";
  private static final String AT_MOST = "atMost";
  private static final String RULE = "rule";
  private static final String PREFER = "prefer";
  private static final String WEIGHT = "weight";
  private static final String CONSTRAINT = "constraint";
  private static final String JOB = "job";
  private static final String LABEL = "label";
  private static final String ATTRIBUTE = "attribute";
  private static final String MAX_SKEW = "maxSkew";
  private static final String NEAR = "near";
  private static final String APART = "apart";
  private static final String SPREAD = "spread";
  private static final String HOST = "host";
  private static final String LIMIT = "limit";
  private static final String AMOUNT = "amount";
  private static final String PER = "per";
  private static final String INSTANCE = "instance";

  private JsonPlacement() {}

  // ---- Reading

  static PlacementSpec read(JsonObject line, Function<JsonObject, Constraint> constraint) {
    if (!line.has(TOLERATIONS) && !line.has(RULES) && !line.has(PREFERENCES) && !line.has(LIMITS)) {
      return PlacementSpec.NONE;
    }
    return new PlacementSpec(
        all(line, TOLERATIONS, JsonPlacement::toleration),
        all(line, RULES, JsonPlacement::rule),
        all(line, PREFERENCES, each -> preference(each, constraint)),
        all(line, LIMITS, JsonPlacement::limit));
  }

  static List<Taint> taints(JsonObject line) {
    return all(line, TAINTS, JsonPlacement::taint);
  }

  private static <T> List<T> all(JsonObject line, String name, Function<JsonObject, T> read) {
    return line.objects(name)
        .map(all -> all.stream().map(each -> each.convert(read)).toList())
        .orElse(List.of());
  }

  private static Taint taint(JsonObject object) {
    object.only(List.of(KEY, VALUE, EFFECT, GRACE));
    return new Taint(
        object.field(KEY).required(),
        object.optional(VALUE).map(Field::text).orElse(""),
        effect(object.field(EFFECT)),
        object.optional(GRACE).map(JsonPlacement::time).orElse(Duration.ZERO));
  }

  private static Toleration toleration(JsonObject object) {
    object.only(List.of(KEY, VALUE, EFFECT, AT_MOST));
    return new Toleration(
        object.optional(KEY).map(Field::required),
        object.optional(VALUE).map(Field::text),
        object.optional(EFFECT).map(JsonPlacement::effect),
        object.optional(AT_MOST).map(JsonPlacement::time));
  }

  private static Taint.Effect effect(Field field) {
    return PlacementExpressions.effect(field, field.text());
  }

  private static Duration time(Field field) {
    return Duration.ofNanos(field.nanos());
  }

  private static PlacementRule rule(JsonObject object) {
    Field kind = object.field(RULE);
    Peers peers = peers(object, kind);
    Domain domain = domain(object);
    object.only(
        kind.text().equals(SPREAD)
            ? List.of(RULE, JOB, LABEL, VALUE, ATTRIBUTE, MAX_SKEW)
            : List.of(RULE, JOB, LABEL, VALUE, ATTRIBUTE));
    return switch (kind.text()) {
      case NEAR -> new PlacementRule.Near(peers, domain);
      case APART -> new PlacementRule.Apart(peers, domain);
      case SPREAD ->
          new PlacementRule.Spread(
              peers, domain, object.field(MAX_SKEW).whole(1, Integer.MAX_VALUE));
      default -> throw kind.error("must be one of near, apart, spread");
    };
  }

  private static Preference preference(
      JsonObject object, Function<JsonObject, Constraint> constraint) {
    Field kind = object.field(PREFER);
    int weight = object.field(WEIGHT).whole(1, Preference.MAX_WEIGHT);
    if (kind.text().equals(HOST)) {
      object.only(List.of(PREFER, WEIGHT, CONSTRAINT));
      return new Preference.OnHost(
          object
              .object(CONSTRAINT)
              .orElseThrow(() -> kind.error("must have the member " + CONSTRAINT))
              .convert(constraint),
          weight);
    }
    object.only(List.of(PREFER, WEIGHT, JOB, LABEL, VALUE, ATTRIBUTE));
    return switch (kind.text()) {
      case NEAR -> new Preference.Near(peers(object, kind), domain(object), weight);
      case APART -> new Preference.Apart(peers(object, kind), domain(object), weight);
      default -> throw kind.error("must be one of host, near, apart");
    };
  }

  private static LimitUse limit(JsonObject object) {
    object.only(List.of(LIMIT, AMOUNT, PER));
    Optional<Field> per = object.optional(PER);
    boolean isPerHost = per.filter(each -> each.text().equals(HOST)).isPresent();
    if (per.isPresent() && !isPerHost && !per.get().text().equals(INSTANCE)) {
      throw per.get().error("must be one of instance, host");
    }
    return new LimitUse(
        object.field(LIMIT).required(),
        isPerHost ? LimitUse.Kind.PER_HOST : LimitUse.Kind.PER_INSTANCE,
        object.field(AMOUNT).whole(1, (int) LimitUse.MOST));
  }

  private static Peers peers(JsonObject object, Field kind) {
    Optional<Field> job = object.optional(JOB);
    Optional<Field> label = object.optional(LABEL);
    if (job.isPresent() == label.isPresent()) {
      throw kind.error("must have either the member job, or the members label and value");
    }
    return job.isPresent()
        ? Peers.ofJob(job.get().required())
        : Peers.labelled(label.orElseThrow().required(), object.field(VALUE).text());
  }

  private static Domain domain(JsonObject object) {
    return object.optional(ATTRIBUTE).map(each -> Domain.of(each.required())).orElse(Domain.HOST);
  }

  // ---- Writing

  static void write(
      ObjectNode line,
      PlacementSpec spec,
      FieldWriter fields,
      Function<Constraint, ObjectNode> constraint) {
    add(line, TOLERATIONS, spec.tolerations(), (to, each) -> write(to, each, fields));
    add(line, RULES, spec.rules(), (to, each) -> write(to, each, fields));
    add(line, PREFERENCES, spec.preferences(), (to, each) -> write(to, each, fields, constraint));
    add(line, LIMITS, spec.limits(), (to, each) -> write(to, each, fields));
  }

  static void write(ObjectNode line, List<Taint> taints, FieldWriter fields) {
    add(line, TAINTS, taints, (to, each) -> write(to, each, fields));
  }

  private static <T> void add(
      ObjectNode line, String name, List<T> values, BiConsumer<ObjectNode, T> write) {
    if (!values.isEmpty()) {
      ArrayNode list = line.putArray(name);
      values.forEach(each -> write.accept(list.addObject(), each));
    }
  }

  private static void write(ObjectNode to, Taint taint, FieldWriter fields) {
    to.put(KEY, fields.name("key of a taint", taint.key()));
    if (!taint.value().isEmpty()) {
      to.put(VALUE, fields.text("value of a taint", taint.value()));
    }
    to.put(EFFECT, PlacementExpressions.word(taint.effect()));
    if (!taint.grace().isZero()) {
      to.put(GRACE, new BigDecimal(fields.time("grace", taint.grace().toNanos())));
    }
  }

  private static void write(ObjectNode to, Toleration toleration, FieldWriter fields) {
    toleration.key().ifPresent(it -> to.put(KEY, fields.name("key of a toleration", it)));
    toleration.value().ifPresent(it -> to.put(VALUE, fields.text("value of a toleration", it)));
    toleration.effect().ifPresent(it -> to.put(EFFECT, PlacementExpressions.word(it)));
    toleration
        .atMost()
        .ifPresent(it -> to.put(AT_MOST, new BigDecimal(fields.time("toleration", it.toNanos()))));
  }

  private static void write(ObjectNode to, LimitUse use, FieldWriter fields) {
    to.put(LIMIT, fields.name("name of a limit", use.limit())).put(AMOUNT, use.amount());
    if (use.kind() == LimitUse.Kind.PER_HOST) {
      to.put(PER, HOST);
    }
  }

  private static void write(ObjectNode to, PlacementRule rule, FieldWriter fields) {
    if (rule instanceof PlacementRule.Spread spread) {
      to.put(RULE, SPREAD);
      write(to, spread.peers(), spread.domain(), fields);
      to.put(MAX_SKEW, spread.maxSkew());
    } else {
      to.put(RULE, rule instanceof PlacementRule.Near ? NEAR : APART);
      write(to, rule.peers(), rule.domain(), fields);
    }
  }

  private static void write(
      ObjectNode to,
      Preference preference,
      FieldWriter fields,
      Function<Constraint, ObjectNode> constraint) {
    if (preference instanceof Preference.OnHost onHost) {
      to.put(PREFER, HOST).put(WEIGHT, onHost.weight());
      to.set(CONSTRAINT, constraint.apply(onHost.constraint()));
    } else if (preference instanceof Preference.Near near) {
      to.put(PREFER, NEAR).put(WEIGHT, near.weight());
      write(to, near.peers(), near.domain(), fields);
    } else if (preference instanceof Preference.Apart apart) {
      to.put(PREFER, APART).put(WEIGHT, apart.weight());
      write(to, apart.peers(), apart.domain(), fields);
    }
  }

  private static void write(ObjectNode to, Peers peers, Domain domain, FieldWriter fields) {
    if (peers instanceof Peers.OfJob ofJob) {
      to.put(JOB, fields.name("job of peers", ofJob.job()));
    } else if (peers instanceof Peers.Labelled labelled) {
      to.put(LABEL, fields.name("label of peers", labelled.name()));
      to.put(VALUE, fields.text("label of peers", labelled.value()));
    }
    domain.attribute().ifPresent(it -> to.put(ATTRIBUTE, fields.name("domain", it)));
  }
}
