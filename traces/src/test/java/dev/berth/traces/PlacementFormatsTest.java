package dev.berth.traces;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.DisruptionBudget;
import dev.berth.api.HostSpec;
import dev.berth.api.Taint;
import dev.berth.simulator.fleet.HostEvent;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ArrivalSource;
import dev.berth.simulator.workload.ServiceClasses;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Taints of hosts, host events, budgets, and errors in all that is about placement. */
class PlacementFormatsTest {

  @TempDir private Path folder;
  private TextFiles files;

  @BeforeEach
  void prepare() {
    files = new TextFiles(folder);
  }

  // ---- Hosts

  @Test
  void readsTaints() {
    String csv =
        files.write(
            "h.csv",
            "id,cpu,memory,taints",
            "h1,1,1,disk=full:no-new;gpu:prefer-not",
            "h2,1,1,",
            "h3,1,1,gpu=a:b:leave after 10m;x:leave");
    String jsonl =
        files.write(
            "h.jsonl",
            "{'id':'h1','capacity':{'cpu':1,'memory':1},'taints':[{'key':'disk','value':'full','effect':'no-new'},{'key':'gpu','effect':'prefer-not'}]}"
                .replace('\'', '"'),
            "{'id':'h2','capacity':{'cpu':1,'memory':1}}".replace('\'', '"'),
            "{'id':'h3','capacity':{'cpu':1,'memory':1},'taints':[{'key':'gpu','value':'a:b','effect':'leave','grace':'10m'},{'key':'x','effect':'leave'}]}"
                .replace('\'', '"'));

    for (String each : List.of(csv, jsonl)) {
      assertThat(Readers.infrastructure(each).hosts())
          .extracting(HostSpec::taints)
          .containsExactly(
              List.of(Taint.noNew("disk", "full"), Taint.preferNot("gpu", "")),
              List.of(),
              List.of(
                  Taint.leaveAfter("gpu", "a:b", Duration.ofMinutes(10)),
                  Taint.leaveAfter("x", "", Duration.ZERO)));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gpu| must be a taint like disk=full:no-new, gpu:prefer-not or disk=full:leave after 10m.",
        "=a:no-new| must be a taint like disk=full:no-new, gpu:prefer-not or disk=full:leave after 10m.",
        "gpu:never| must have one of the effects no-new, prefer-not, leave.",
        "gpu:no-new after 5| must have a time only after leave."
      })
  void refusesBadTaints(String taint, String rule) {
    String file = files.write("h.csv", "id,cpu,memory,taints", "h1,1,1," + quoted(taint));

    files.assertRefused(
        "h.csv, line 2: taints was \"%s\", %s".formatted(taint, rule.strip()),
        () -> Readers.infrastructure(file));
  }

  @Test
  void refusesTwoTaintsWithOneKeyAndEffect() {
    String file = files.write("h.csv", "id,cpu,memory,taints", "h1,1,1,gpu:no-new;gpu=a:no-new");

    files.assertRefused(
        "h.csv, line 2: is invalid: host h1 has two taints with the key gpu and the effect NO_NEW.",
        () -> Readers.infrastructure(file));
  }

  // ---- Requests

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tolerations| *=a| *=a| must be a toleration like disk, disk=full, disk=full:no-new, gpu:leave for 10m or *.",
        "tolerations| gpu:all| gpu:all| must have one of the effects no-new, prefer-not, leave.",
        "tolerations| gpu for ever| ever| must be a number of seconds, or a duration such as 30s, 10m or 1h30m.",
        "rules| beside job a by zone| beside job a by zone| must be a rule like near job web by zone, apart label team=a by host or spread job web by zone within 1.",
        "rules| near job a| near job a| must be a rule like near job web by zone, apart label team=a by host or spread job web by zone within 1.",
        "rules| near label a by zone| near label a by zone| must be a rule like near job web by zone, apart label team=a by host or spread job web by zone within 1.",
        "rules| spread job a by zone within 0| 0| must be a whole number from 1 to 2147483647.",
        "limits| 1| 1| must be a use of a limit like 1 matlab or 1 maple per host.",
        "limits| 0 matlab| 0| must be a whole number from 1 to 1000000000.",
        "preferences| zone==a| zone==a| must be a preference like 5 zone==a, 3 near job web by zone or 2 apart label team=a by host.",
        "preferences| 2000 zone==a| 2000| must be a whole number from 1 to 1000.",
        "preferences| 5 zone=a| zone=a| must have one of the operators ==, !=, <, >, in, exists. Maybe you meant \"zone==a\"."
      })
  void refusesBadCells(String column, String cell, String part, String rule) {
    String file =
        files.write(
            "w.csv",
            "admitted,id,class,service_time,cpu,memory," + column,
            "0,r1,gold,1,1,1," + quoted(cell));

    files.assertRefused(
        "w.csv, line 2: %s was \"%s\", %s".formatted(column, part, rule.strip()),
        () -> arrivals(file));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'rules':[{'rule':'beside','job':'a'}]| rules[0].rule was \"beside\", must be one of near, apart, spread.",
        "'rules':[{'rule':'near'}]| rules[0].rule was \"near\", must have either the member job, or the members label and value.",
        "'rules':[{'rule':'near','job':'a','maxSkew':1}]| rules[0].maxSkew \"1\" is not a member, must be one of rule, job, label, value, attribute.",
        "'rules':[{'rule':'spread','job':'a'}]| must have the member rules[0].maxSkew.",
        "'preferences':[{'prefer':'host','weight':5}]| preferences[0].prefer was \"host\", must have the member constraint.",
        "'preferences':[{'prefer':'near','weight':0,'job':'a'}]| preferences[0].weight was \"0\", must be a whole number from 1 to 1000.",
        "'limits':[{'limit':'a','amount':1,'per':'zone'}]| limits[0].per was \"zone\", must be one of instance, host.",
        "'limits':[{'limit':'a'}]| must have the member limits[0].amount.",
        "'tolerations':[{'value':'a'}]| tolerations[0] \"{'value':'a'}\" is invalid: toleration has the value a without a key.",
        "'tolerations':[{'key':'a','effect':'x'}]| tolerations[0].effect was \"x\", must have one of the effects no-new, prefer-not, leave."
      })
  void refusesBadMembers(String member, String message) {
    String line =
        "{'admitted':0,'id':'r1','class':'gold','serviceTime':1,'demand':{'cpu':1}," + member + "}";
    String file = files.write("w.jsonl", line.replace('\'', '"'));

    files.assertRefused(
        "w.jsonl, line 1: " + message.strip().replace('\'', '"'), () -> arrivals("jsonl:" + file));
  }

  // ---- Budgets

  @Test
  void readsBudgets() {
    String csv =
        files.write(
            "w.csv",
            "admitted,id,class,service_time,cpu,memory,job,budget",
            "0,a,gold,1,1,1,web,max-down 1",
            "0,b,gold,1,1,1,web,",
            "0,c,gold,1,1,1,db,min-up 2");
    String jsonl =
        files.write(
            "w.jsonl",
            member("a", "'job':'web','budget':{'maxDown':1}"),
            member("b", "'job':'web'"),
            member("c", "'job':'db','budget':{'minUp':2}"));

    for (String each : List.of(csv, jsonl)) {
      assertThat(all(each))
          .extracting(Arrival::budget)
          .containsExactly(
              Optional.of(DisruptionBudget.maxDown(1)),
              Optional.empty(),
              Optional.of(DisruptionBudget.minUp(2)));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "web| 1| 1| must be a disruption budget like max-down 1 or min-up 2.",
        "web| most 1| most 1| must be a disruption budget like max-down 1 or min-up 2.",
        "web| min-up -1| -1| must be a whole number from 0 to 2147483647.",
        "''| min-up 2| min-up 2| requires a job, whose instances it protects."
      })
  void refusesBadBudgets(String job, String cell, String part, String rule) {
    String file =
        files.write(
            "w.csv",
            "admitted,id,class,service_time,cpu,memory,job,budget",
            "0,r1,gold,1,1,1,%s,%s".formatted(job, cell));

    files.assertRefused(
        "w.csv, line 2: budget was \"%s\", %s".formatted(part, rule.strip()), () -> all(file));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'job':'web','budget':{}| budget was \"{}\", must have either the member maxDown or the member minUp.",
        "'job':'web','budget':{'maxDown':1,'minUp':1}| budget was \"{'maxDown':1,'minUp':1}\", must have either the member maxDown or the member minUp.",
        "'job':'web','budget':{'minUp':-1}| budget.minUp was \"-1\", must be a whole number from 0 to 2147483647.",
        "'job':'web','budget':{'down':1}| budget.down \"1\" is not a member, must be one of maxDown, minUp.",
        "'budget':{'minUp':1}| budget was \"{'minUp':1}\", requires a job, whose instances it protects."
      })
  void refusesBadMembersOfBudgets(String members, String message) {
    String file = files.write("w.jsonl", member("r1", members));

    files.assertRefused(
        "w.jsonl, line 1: " + message.strip().replace('\'', '"'), () -> all("jsonl:" + file));
  }

  private static String member(String id, String members) {
    return "{'admitted':0,'id':'%s','class':'gold','serviceTime':1,'demand':{'cpu':1},%s}"
        .formatted(id, members)
        .replace('\'', '"');
  }

  // ---- Host events

  @Test
  void readsTaintsAndLimitsOverTime() {
    String csv =
        files.write(
            "e.csv",
            "time,host,event,value",
            "0,,limit,20 matlab",
            "5,h1,taints,disk=full:leave after 10m;gpu:no-new",
            "6,h1,fails,",
            "7,h1,taints,",
            "8,h1,recovers,",
            "9,,limit,0 matlab");
    String jsonl =
        files.write(
            "e.jsonl",
            "{'time':0,'event':'limit','limit':'matlab','amount':20}".replace('\'', '"'),
            "{'time':5,'event':'taints','host':'h1','taints':[{'key':'disk','value':'full','effect':'leave','grace':'10m'},{'key':'gpu','effect':'no-new'}]}"
                .replace('\'', '"'),
            "{'time':6,'event':'fails','host':'h1'}".replace('\'', '"'),
            "{'time':7,'event':'taints','host':'h1'}".replace('\'', '"'),
            "{'time':8,'event':'recovers','host':'h1'}".replace('\'', '"'),
            "{'time':9,'event':'limit','limit':'matlab','amount':0}".replace('\'', '"'));

    for (String each : List.of(csv, jsonl)) {
      assertThat(Readers.hostEvents(each))
          .containsExactly(
              new HostEvent.LimitSet(0, "matlab", 20),
              new HostEvent.Tainted(
                  5_000_000_000L,
                  "h1",
                  List.of(
                      Taint.leaveAfter("disk", "full", Duration.ofMinutes(10)),
                      Taint.noNew("gpu", ""))),
              new HostEvent.Fails(6_000_000_000L, "h1"),
              new HostEvent.Tainted(7_000_000_000L, "h1", List.of()),
              new HostEvent.Recovers(8_000_000_000L, "h1"),
              new HostEvent.LimitSet(9_000_000_000L, "matlab", 0));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1,,limit,| event was \"limit\", requires a value like 20 matlab in the column value.",
        "1,,limit,20| value was \"20\", must be an amount of a limit like 20 matlab.",
        "1,,limit,few matlab| value was \"few\", must be a whole number from 0 to 9223372036854775807.",
        "1,h1,limit,2 matlab| host was \"h1\", must be empty, since a limit belongs to no host.",
        "1,h1,fails,gpu:no-new| value was \"gpu:no-new\", must be empty, since the event has none.",
        "1,h1,taints,gpu| value was \"gpu\", must be a taint like disk=full:no-new, gpu:prefer-not or disk=full:leave after 10m.",
        "1,h1,taints,gpu:no-new;gpu=a:no-new| is invalid: host h1 has two taints with the key gpu and the effect NO_NEW.",
        "1,h1,limits,1 a| event was \"limits\", must be fails, recovers, taints or limit. Maybe you meant \"limit\"."
      })
  void refusesBadEvents(String row, String message) {
    String file = files.write("e.csv", "time,host,event,value", row);

    files.assertRefused("e.csv, line 2: " + message.strip(), () -> Readers.hostEvents(file));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'event':'limit','limit':'a'| must have the member amount.",
        "'event':'limit','limit':'a','amount':-1| amount was \"-1\", must be a whole number from 0 to 9223372036854775807.",
        "'event':'limit','limit':'a','amount':1,'host':'h1'| host \"'h1'\" is not a member, must be one of time, event, limit, amount.",
        "'event':'fails','host':'h1','taints':[]| taints \"[]\" is not a member, must be one of time, event, host.",
        "'event':'recovers'| must have the member host."
      })
  void refusesBadMembersOfEvents(String members, String message) {
    String file = files.write("e.jsonl", "{'time':1,%s}".formatted(members).replace('\'', '"'));

    files.assertRefused(
        "e.jsonl, line 1: " + message.strip().replace('\'', '"'),
        () -> Readers.hostEvents("jsonl:" + file));
  }

  private static List<Arrival> all(String file) {
    List<Arrival> all = new ArrayList<>();
    try (ArrivalSource source =
        Readers.workload(file, ServiceClasses.goldSilverBronze(Duration.ZERO)).open()) {
      source.forEachRemaining(all::add);
    }
    return all;
  }

  private static String quoted(String cell) {
    return '"' + cell + '"';
  }

  private static void arrivals(String file) {
    Readers.workload(file, ServiceClasses.goldSilverBronze(Duration.ZERO))
        .open()
        .forEachRemaining(each -> {});
  }
}
