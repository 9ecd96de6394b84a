"""The parts that Grafana's dashboards are made of, as small functions. Field names are those of Grafana 10 and 11."""

POSTGRES = {"type": "grafana-postgresql-datasource", "uid": "castledger-postgres"}
PROMETHEUS = {"type": "prometheus", "uid": "castledger-prometheus"}

# Okabe and Ito's colors, which people who are blind to some colors can tell apart.
ORANGE, SKY, GREEN, YELLOW, BLUE, RED, PINK, GRAY = (
    "#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7", "#7F7F7F")

ACTIVITIES = {
    "playing": GREEN, "paused": YELLOW, "buffering": ORANGE, "loading": SKY, "advertisement": PINK,
    "app_only": BLUE, "idle": "#B0B0B0", "standby": "#606060", "other_input": "#808080", "unknown": GRAY,
    "unobserved": RED,
}
STATES = {"linked": GREEN, "seen": SKY, "lost": RED, "withdrawn": GRAY}
REASONS = {
    "observed": GREEN, "device_unreachable": RED, "link_lost": ORANGE, "frames_lost": PINK, "recorder_down": GRAY,
    "archive_damaged": "#404040", "not_joined": SKY, "attach_refused": BLUE,
}
KINDS = {
    "takeover": RED, "volume_fight": ORANGE, "play_pause_fight": BLUE, "seek_fight": SKY, "track_fight": GREEN,
    "style_fight": PINK,
}


def words(colors):
    """Value mappings: each word keeps its color in every panel."""
    return [{"type": "value", "options": {
        word: {"color": color, "index": index} for index, (word, color) in enumerate(colors.items())}}]


def sql(text, shape="table", ref="A"):
    return {"datasource": POSTGRES, "editorMode": "code", "format": shape, "rawQuery": True,
            "rawSql": text.strip(), "refId": ref}


def metric(expression, legend, ref="A", instant=False):
    return {"datasource": PROMETHEUS, "expr": expression, "legendFormat": legend, "refId": ref,
            "range": not instant, "instant": instant, "editorMode": "code"}


def panel(kind, title, description, targets, place, *, unit=None, options=None, custom=None, mappings=None,
          overrides=(), thresholds=None, transformations=(), decimals=None, least=None, most=None, links=()):
    defaults = {"color": {"mode": "thresholds" if thresholds else "palette-classic"}, "custom": custom or {},
                "mappings": mappings or [], "links": list(links)}
    if thresholds:
        defaults["thresholds"] = {"mode": "absolute", "steps": [
            {"color": color, "value": value} for value, color in thresholds]}
    for name, value in (("unit", unit), ("decimals", decimals), ("min", least), ("max", most)):
        if value is not None:
            defaults[name] = value
    x, y, width, height = place
    return {
        "type": kind, "title": title, "description": description, "datasource": targets[0]["datasource"],
        "gridPos": {"x": x, "y": y, "w": width, "h": height}, "targets": targets, "options": options or {},
        "fieldConfig": {"defaults": defaults, "overrides": list(overrides)},
        "transformations": list(transformations),
    }


def override(column, **properties):
    """What one column looks like. `custom_width=90` sets the property custom.width."""
    return {"matcher": {"id": "byName", "options": column},
            "properties": [{"id": name.replace("custom_", "custom."), "value": value}
                           for name, value in properties.items()]}


def colored(column, colors):
    return override(column, mappings=words(colors), custom_cellOptions={"type": "color-text"})


def hidden(column):
    return override(column, custom_hidden=True)


def table(title, description, text, place, overrides=(), sort=None):
    options = {"showHeader": True, "cellHeight": "sm",
               "footer": {"show": False, "reducer": ["sum"], "countRows": False, "fields": ""}}
    if sort:
        options["sortBy"] = [{"displayName": sort[0], "desc": sort[1]}]
    return panel("table", title, description, [sql(text)], place, options=options, overrides=overrides,
                 custom={"align": "auto", "cellOptions": {"type": "auto"}, "inspect": False})


def lanes(title, description, text, colors, place, show="never"):
    """A row per device. The question gives time, device and "Value"; a null Value ends what was before it."""
    return panel(
        "state-timeline", title, description, [sql(text)], place, mappings=words(colors),
        options={"showValue": show, "rowHeight": 0.9, "mergeValues": True, "alignValue": "left",
                 "legend": {"showLegend": bool(colors), "displayMode": "list", "placement": "bottom", "calcs": []},
                 "tooltip": {"mode": "single", "sort": "none"}},
        custom={"lineWidth": 0, "fillOpacity": 85},
        transformations=[{"id": "partitionByValues", "options": {
            "fields": ["device"], "keepFields": False, "naming": {"asLabels": False}}}])


def graph(title, description, targets, place, unit="short", bars=False, stacked=False, **more):
    return panel(
        "timeseries", title, description, targets, place, unit=unit,
        options={"legend": {"showLegend": True, "displayMode": "list", "placement": "bottom", "calcs": []},
                 "tooltip": {"mode": "multi", "sort": "desc"}},
        custom={"drawStyle": "bars" if bars else "line", "lineWidth": 1, "fillOpacity": 70 if bars else 10,
                "showPoints": "never", "spanNulls": False,
                "stacking": {"mode": "normal" if stacked else "none", "group": "A"}}, **more)


def figure(title, description, target, place, unit="short", thresholds=((None, BLUE),), **more):
    return panel(
        "stat", title, description, [target], place, unit=unit, thresholds=thresholds,
        options={"reduceOptions": {"calcs": ["lastNotNull"], "fields": "", "values": False},
                 "colorMode": "value", "graphMode": "none", "justifyMode": "auto", "textMode": "auto",
                 "orientation": "auto"}, **more)


def columns(title, description, text, place, unit, across=True, **more):
    """Bars by name: the first column is the name."""
    return panel(
        "barchart", title, description, [sql(text)], place, unit=unit,
        options={"orientation": "horizontal" if across else "auto", "showValue": "auto", "stacking": "normal",
                 "legend": {"showLegend": True, "displayMode": "list", "placement": "bottom", "calcs": []},
                 "tooltip": {"mode": "multi", "sort": "none"}, "groupWidth": 0.7, "barWidth": 0.9,
                 "xTickLabelRotation": 0, "xTickLabelSpacing": 0},
        custom={"lineWidth": 0, "fillOpacity": 80}, **more)


DEVICES = {
    "type": "query", "name": "device", "label": "Device", "datasource": POSTGRES, "multi": True, "includeAll": True,
    "query": "SELECT coalesce(name, device_id) AS __text, device_id AS __value FROM ledger.devices ORDER BY 1, 2",
    "refresh": 2, "sort": 0, "hide": 0, "regex": "", "options": [],
    "current": {"selected": True, "text": ["All"], "value": ["$__all"]},
}
ZONE = {
    "type": "textbox", "name": "zone", "label": "Time zone of days", "hide": 0, "query": "UTC",
    "current": {"selected": True, "text": "UTC", "value": "UTC"},
    "options": [{"selected": True, "text": "UTC", "value": "UTC"}],
}
CONFLICTS = {
    "name": "Conflicts", "datasource": POSTGRES, "enable": True, "hide": False, "iconColor": RED,
    "target": sql("""
SELECT c.started_at AS time, c.ended_at AS timeend, coalesce(d.name, c.device_id) || ': ' || c.sentence AS text,
    c.kind AS tags
FROM ledger.conflicts c
LEFT JOIN ledger.devices d USING (device_id)
WHERE c.started_at < $__timeTo() AND c.ended_at >= $__timeFrom() AND c.device_id IN (${device:sqlstring})
ORDER BY c.started_at
""", ref="Anno"),
}


def dashboard(name, title, description, panels, *, variables=(), annotations=(), since="now-24h", refresh="1m"):
    for number, each in enumerate(panels, 1):
        each["id"] = number
    return {
        "uid": f"castledger-{name}", "title": f"CastLedger: {title}", "description": description,
        "tags": ["castledger"], "timezone": "browser", "schemaVersion": 39, "version": 1, "editable": True,
        "graphTooltip": 1, "refresh": refresh, "time": {"from": since, "to": "now"}, "fiscalYearStartMonth": 0,
        "annotations": {"list": list(annotations)}, "templating": {"list": list(variables)},
        "links": [{"type": "dashboards", "title": "CastLedger", "tags": ["castledger"], "asDropdown": True,
                   "includeVars": True, "keepTime": True, "targetBlank": False, "icon": "", "tooltip": "",
                   "url": ""}],
        "panels": panels,
    }
