package dev.berth.traces;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.HostSpec;
import dev.berth.api.Taint;
import dev.berth.simulator.ServiceClasses;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Taints of hosts, and errors in taints, tolerations, rules and preferences. */
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

  private static String quoted(String cell) {
    return '"' + cell + '"';
  }

  private static void arrivals(String file) {
    Readers.workload(file, ServiceClasses.goldSilverBronze(Duration.ZERO))
        .open()
        .forEachRemaining(each -> {});
  }
}
