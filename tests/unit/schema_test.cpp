#include "io/schema/schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "areia/case_file.h"
#include "core/units.h"
#include "physics/law_info.h"

namespace areia::io {
namespace {

using testing::HasSubstr;

// Calls f(key, prefix) for every key below, however deep.
template <class F>
void for_every_key(const std::vector<KeyInfo>& keys, const std::string& prefix, const F& f) {
  for (const KeyInfo& k : keys) {
    f(k, prefix);
    for_every_key(k.keys, prefix + k.name + ".", f);
  }
}

TEST(Schema, EveryKeyHasMeaningAndKnownUnit) {
  int count = 0;
  for_every_key(case_table().infos(), "", [&](const KeyInfo& k, const std::string& prefix) {
    ++count;
    EXPECT_FALSE(k.text.empty()) << prefix << k.name;
    EXPECT_TRUE(k.text.ends_with(".") || k.text.ends_with("...")) << prefix << k.name << ": " << k.text;
    std::string error;
    EXPECT_TRUE(parse_unit(k.unit, error)) << prefix << k.name << ": " << error;
    EXPECT_EQ(describe_unit(k.unit).find("a quantity in"), std::string::npos) << k.unit;
  });
  EXPECT_GT(count, 100);
}

TEST(Schema, ReferenceListsEveryKeyAndLaw) {
  const std::string page = manual_markdown();
  for_every_key(case_table().infos(), "", [&](const KeyInfo& k, const std::string& prefix) {
    EXPECT_THAT(page, HasSubstr(k.name + "`")) << prefix << k.name;
    EXPECT_THAT(page, HasSubstr(k.unit));
  });
  for (const LawInfo& law : all_laws()) {
    EXPECT_THAT(page, HasSubstr(std::string(law.slot) + " law `" + law.name + "`"));
    for (const ParameterInfo& p : law.parameters) EXPECT_THAT(page, HasSubstr(std::string("| `") + p.name + "` |"));
  }
}

TEST(Schema, JsonSchemaHasEveryKey) {
  const auto schema = nlohmann::json::parse(json_schema());
  EXPECT_EQ(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
  EXPECT_EQ(schema["additionalProperties"], false);
  for (const KeyInfo& section : case_table().infos()) {
    ASSERT_TRUE(schema["properties"].contains(section.name)) << section.name;
    if (section.form == KeyInfo::Form::contacts) continue;
    const auto& value = schema["properties"][section.name];
    const auto& table = value.contains("items") ? value["items"]
                        : value.contains("additionalProperties") && value["additionalProperties"].is_object()
                            ? value["additionalProperties"]
                            : value;
    for (const KeyInfo& k : section.keys)
      EXPECT_TRUE(table["properties"].contains(k.name)) << section.name << "." << k.name;
  }
  const auto& pair = schema["$defs"]["contacts"]["additionalProperties"]["properties"];
  for (const LawInfo& law : all_laws())
    for (const ParameterInfo& p : law.parameters)
      EXPECT_TRUE(pair[law.slot]["anyOf"][0]["properties"].contains(p.name)) << law.name << "." << p.name;
}

}  // namespace
}  // namespace areia::io
