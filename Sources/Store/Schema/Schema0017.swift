// Written by schema/embed from schema/0017-groups.sql: edit that, not this.

extension Migration {
    static let schema0017 = Migration(
        number: 17, name: "groups",
        sql: #"""
            -- Who belongs to which group now, for lanes below their group.

            CREATE VIEW ledger.group_members AS
                SELECT s.device_id AS group_id, lower(replace(m.value ->> 'deviceId', '-', '')) AS device_id, s.recorder_id
                FROM projection.device_state s
                JOIN ledger.devices d ON d.device_id = s.device_id AND d.recorder_id = s.recorder_id
                CROSS JOIN LATERAL json_array_elements(
                    CASE json_typeof(s.state -> 'multizone' -> 'members') WHEN 'array' THEN s.state -> 'multizone' -> 'members' END
                ) m
                -- A lone speaker lists itself.
                WHERE lower(replace(m.value ->> 'deviceId', '-', '')) <> s.device_id;
            COMMENT ON VIEW ledger.group_members
                IS 'The members of each group, as it told them last, by the recorder that heard the group last. A device may be in '
                'several groups.';

            DO $$
            BEGIN
                IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'castledger_reader') THEN
                    GRANT SELECT ON ledger.group_members TO castledger_reader;
                END IF;
            END
            $$;
            """#)
}
